/** Of a website, what is said of the assistant that writes for it, and of its topics. */
export const writingPlan = {
  title: 'Writing plan',
  none: 'Nobody writes for this website by a plan yet. An assistant picks topics, writes articles part by part, and publishes them at your times, or asks you first.',
  create: 'Let an assistant write',
  loadFailed: 'Its writing plan could not be loaded',
  open: 'Open',
  openOf: 'Open {{name}}',
  topics: 'Topics: {{name}}',
  noTopics: 'Choose its topics',
  crumb: 'Topics',
  noTree: '“{{name}}” has no topics yet',
  noTreeText: 'It picks what it writes about from a topic tree. Choose one in its configuration, or make a new one first.',
  chooseTree: 'Choose a topic tree',
  makeTree: 'Create a topic tree',
  nobody: 'Nobody writes for this website yet',
  nobodyText: 'The topics here are those of the assistant that writes for {{name}}. Create one, and choose what it writes about.',
  toWebsite: 'Back to the website',
}
