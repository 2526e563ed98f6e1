export const system = {
  workerSince: 'Seit {{time}} läuft der Hintergrunddienst nicht.',
  workerAway: 'Der Hintergrunddienst läuft nicht.',
  temporalSince: 'Seit {{time}} ist der Zeitplaner nicht erreichbar.',
  temporalAway: 'Der Zeitplaner ist gerade nicht erreichbar.',
  consequence: 'Bis er wieder da ist, wird nichts veröffentlicht. Du kannst weiterarbeiten, Änderungen wirken danach.',
}
