export const system = {
  workerSince: 'Seit {{time}} läuft der Hintergrunddienst nicht.',
  workerAway: 'Der Hintergrunddienst läuft nicht.',
  temporalSince: 'Seit {{time}} ist der Zeitplaner nicht erreichbar.',
  temporalAway: 'Der Zeitplaner ist gerade nicht erreichbar.',
  modelRefused: 'Seit {{time}} nimmt das Sprach- oder Bildmodell die Einstellungen dieses Servers nicht an.',
  modelUnpaid: 'Seit {{time}} ist das Guthaben für das Sprach- oder Bildmodell aufgebraucht.',
  modelConsequence: 'Bis es behoben wird, bereitet kein Lauf damit etwas vor, und es kostet nichts. Beheben kann es, wer diesen Server betreibt. Ob es wieder geht, prüfen die Läufe von selbst.',
  networkRefused: 'Seit {{time}} nimmt {{network}} die Einstellungen dieses Servers nicht an.',
  networkConsequence: 'Bis es behoben wird, werden dafür keine neuen Beiträge geschrieben, und es kostet nichts. Beheben kann es, wer diesen Server betreibt. Ob es wieder geht, prüfen die Läufe von selbst.',
  consequence: 'Bis er wieder da ist, wird nichts veröffentlicht. Du kannst weiterarbeiten, Änderungen wirken danach.',
}
