/** The way to the first post: said on the dashboard and over the pages that its steps are taken on. */
export const dashboard = {
  step: {
    verify_email: { title: 'Verify your email', text: 'Open the link in the email.' },
    connect_account: { title: 'Connect an account', text: 'Where the posts go.' },
    create_template: { title: 'Choose a template', text: 'Copy one from the marketplace: it turns a topic into a text.' },
    create_topic_tree: { title: 'Build a topic tree', text: 'What your assistant can talk about.' },
    create_assistant: { title: 'Create an assistant', text: 'It joins topic, template, account and times.' },
    activate_assistant: { title: 'Activate the assistant', text: 'From then on it works on its own.' },
    start_trial: { title: 'Start the free trial', text: 'It unlocks more than the free allowance.' },
  },
  nextStep: 'Next step',
  nextStepIs: 'Next step: {{step}}',
}
