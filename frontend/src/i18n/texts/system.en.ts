/** The banner over the page when a part of the server is missing. */
export const system = {
  workerSince: 'The background service has been off since {{time}}.',
  workerAway: 'The background service is off.',
  temporalSince: 'The scheduler has been away since {{time}}.',
  temporalAway: 'The scheduler is away.',
  modelRefused: 'Since {{time}} the language or image model has not taken the settings of this server.',
  modelUnpaid: 'Since {{time}} there has been no credit left for the language or image model.',
  modelConsequence: 'No run is prepared with it, and nothing is spent, until whoever runs this server mends it. Runs look by themselves whether it works again.',
  networkRefused: 'Since {{time}} {{network}} has not taken the settings of this server.',
  networkConsequence: 'No new posts are written for it, and nothing is spent, until whoever runs this server mends it. Runs look by themselves whether it works again.',
  consequence: 'Nothing is published until it is back. You can go on working, changes take effect then.',
}
