export const approvalLink = {
  tab: 'Freigabe',
  title: 'Darf das raus?',
  by: {
    post: '{{assistant}} hat einen Beitrag über „{{topic}}“ vorbereitet.',
    article: '{{assistant}} hat den Artikel „{{topic}}“ vorbereitet.',
  },
  byHand: {
    post: 'Ein Beitrag über „{{topic}}“ wartet auf deine Antwort.',
    article: 'Der Artikel „{{topic}}“ wartet auf deine Antwort.',
  },
  goesOut: 'Geht raus',
  atOnce: 'sobald du ihn freigibst',
  zone: '{{when}} ({{zone}})',
  accounts: 'Konten',
  website: 'Website',
  left: 'Noch {{time}} Zeit.',
  asShown: 'Du gibst genau das frei, was du hier siehst. Nur deine Antwort entscheidet: Das Öffnen dieser Seite tut nichts.',
  asIn: 'Auf {{network}}, als {{account}}',
  edit: 'Bearbeiten',
  editHint: 'Melde dich an, um ihn zu bearbeiten und so freizugeben.',
  notSaved: 'Deine Antwort wurde nicht gespeichert.',
  loadFailed: 'Worum es geht, konnte nicht geladen werden',
  toPost: 'In Postloom öffnen',
  toApprovals: 'Ansehen, was auf dich wartet',
  over: {
    approved: { title: 'Freigegeben', text: 'Das wurde {{when}} freigegeben und geht zu seiner Zeit raus.' },
    approvedByDeadline: { title: 'Die Zeit ist um', text: 'Bis {{when}} hat niemand widersprochen, also wird er veröffentlicht.' },
    declined: { title: 'Abgelehnt', text: 'Das wurde {{when}} abgelehnt und geht nicht raus.' },
    expired: {
      title: 'Die Zeit ist um',
      text: 'Niemand hat rechtzeitig entschieden. Was daraus geworden ist, siehst du nach der Anmeldung.',
    },
    outdated: {
      title: 'Das hat sich inzwischen geändert',
      text: 'Dieser Link gehört zu einer früheren Fassung. Melde dich an, um die jetzige zu sehen und darüber zu entscheiden.',
    },
    withdrawn: { title: 'Niemand wird mehr gefragt', text: 'Das wurde abgesagt, bevor jemand entschieden hat.' },
    invalid: {
      title: 'Dieser Link funktioniert nicht',
      text: 'Er ist unvollständig, oder das, wozu er gehörte, gibt es nicht mehr.',
    },
  },
}
