export const charts = {
  day: 'Tag',
  asTable: 'Als Tabelle',
  asChart: 'Als Diagramm',
  summary_one: '{{name}} an {{count}} Tag: {{sums}}.',
  summary_other: '{{name}} an {{count}} Tagen: {{sums}}.',
  highest: 'Am meisten am {{day}}: {{value}}.',
}
