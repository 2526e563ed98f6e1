/** The banner over the page when a part of the server is missing. */
export const system = {
  workerSince: 'No worker has been running since {{time}}.',
  workerAway: 'No worker is running.',
  temporalSince: 'The scheduler has been away since {{time}}.',
  temporalAway: 'The scheduler is away.',
  consequence: 'Nothing is published until it is back. You can go on working, changes take effect then.',
}
