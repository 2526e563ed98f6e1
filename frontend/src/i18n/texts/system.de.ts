export const system = {
  workerSince: 'Seit {{time}} läuft kein Worker.',
  workerAway: 'Es läuft kein Worker.',
  temporalSince: 'Seit {{time}} fehlt der Zeitplaner.',
  temporalAway: 'Der Zeitplaner fehlt gerade.',
  consequence: 'Bis er wieder da ist, wird nichts veröffentlicht. Du kannst weiterarbeiten, Änderungen wirken danach.',
}
