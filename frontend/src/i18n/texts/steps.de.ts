/** The way to the first post: said on the dashboard and over the pages that its steps are taken on. */
export const dashboard = {
  step: {
    verify_email: { title: 'E-Mail-Adresse bestätigen', text: 'Öffne den Link in der Mail.' },
    connect_account: { title: 'Konto verbinden', text: 'Wohin die Beiträge gehen.' },
    create_template: { title: 'Vorlage wählen', text: 'Kopiere eine vom Marktplatz: Sie macht aus einem Thema einen Text.' },
    create_topic_tree: { title: 'Themenbaum anlegen', text: 'Worüber dein Assistent schreiben kann.' },
    create_assistant: { title: 'Assistent anlegen', text: 'Er verbindet Thema, Vorlage, Konto und Zeiten.' },
    activate_assistant: { title: 'Assistent aktivieren', text: 'Ab dann arbeitet er von allein.' },
    start_trial: { title: 'Testphase starten', text: 'Sie schaltet mehr frei als das freie Kontingent.' },
  },
  nextStep: 'Nächster Schritt',
  nextStepIs: 'Nächster Schritt: {{step}}',
}
