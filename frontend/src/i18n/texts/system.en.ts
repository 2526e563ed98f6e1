/** The banner over the page when a part of the server is missing. */
export const system = {
  workerSince: 'The background service has been off since {{time}}.',
  workerAway: 'The background service is off.',
  temporalSince: 'The scheduler has been away since {{time}}.',
  temporalAway: 'The scheduler is away.',
  consequence: 'Nothing is published until it is back. You can go on working, changes take effect then.',
}
