/** Of an article, what is said while its assistant writes it. */
export const articleWriting = {
  title: 'Being written',
  by: '{{name}} is writing',
  run: 'The run step by step',
  later: 'You can edit it once all of it is there.',
  again: 'Another text is being written, with your remark.',
  section: 'Section {{number}} of {{count}}',
  sections_one: '{{count}} section',
  sections_other: '{{count}} sections',
  nowSection: 'Section {{number}} of {{count}} is being written, and appears here.',
  now: {
    topic: 'The topic is being chosen.',
    outline: 'The outline is being planned.',
    text: 'The sections are being written, one after the other.',
    summary: 'The summary is being written.',
    search: 'What search results show is being written.',
    image: 'The image is being made.',
    check: 'It is being checked against the rules of the website.',
  },
  steps: {
    outline: 'Outline',
    text: 'Sections',
    summary: 'Summary',
    search: 'Search results',
    image: 'Image',
    check: 'Checks',
  },
}
