/** What is decided on the start page and on a post's own. */
export const posts = {
  acknowledge: 'Put aside',
  acknowledgeOf: 'Put aside: {{post}}',
  acknowledgeFailed: 'Couldn’t dismiss this post.',
  unknownTitle: { post: '{{network}} did not answer. Is the post there?', article: '{{network}} did not answer. Is the article there?' },
  there: 'It is there',
  notThere: 'It is not there',
  thereSaid: 'Noted: it is there.',
  notThereNoted: 'Noted: it is not there.',
  takenBack: 'Taken back. It is unclear again.',
  takeBackFailed: 'Your answer could not be taken back.',
  decideFailed: 'Your answer was not saved.',
}

export const dashboard = {
  lookAt: 'Look on {{network}}',
}
