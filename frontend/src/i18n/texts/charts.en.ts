export const charts = {
  day: 'Day',
  asTable: 'As a table',
  asChart: 'As a chart',
  summary_one: '{{name}} of {{count}} day: {{sums}}.',
  summary_other: '{{name}} of {{count}} days: {{sums}}.',
  highest: 'Most on {{day}}: {{value}}.',
}
