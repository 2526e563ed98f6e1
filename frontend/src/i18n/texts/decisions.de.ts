/** What is decided on the start page and on a post's own. */
export const posts = {
  acknowledge: 'Abhaken',
  acknowledgeOf: 'Abhaken: {{post}}',
  acknowledgeFailed: 'Der Beitrag konnte nicht erledigt werden.',
  unknownTitle: { post: '{{network}} hat nicht geantwortet. Ist der Beitrag da?', article: '{{network}} hat nicht geantwortet. Ist der Artikel da?' },
  there: 'Er ist da',
  notThere: 'Er ist nicht da',
  thereSaid: 'Notiert: Er ist da.',
  notThereNoted: 'Notiert: Er ist nicht da.',
  takenBack: 'Zurückgenommen. Er ist wieder unklar.',
  takeBackFailed: 'Deine Antwort ließ sich nicht zurücknehmen.',
  decideFailed: 'Deine Antwort wurde nicht gespeichert.',
}

export const dashboard = {
  lookAt: 'Bei {{network}} nachsehen',
}
