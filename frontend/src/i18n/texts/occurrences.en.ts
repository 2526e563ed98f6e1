/** What a schedule and a budget come to, wherever that is told. */
export const liveRun = {
  clockChange: 'The clocks change before this: UTC{{before}} becomes UTC{{after}}. {{time}} stays {{time}}.',
  leftOutDays: {
    date: 'Left out',
    holiday: '{{name}}',
    dayFull: 'Of days with more times than that, the later ones are left out.',
  },
  budget: {
    left: 'Budget left',
    leftOf: '{{left}} of {{amount}}',
    leftTokens: '{{left}} of {{amount}} tokens',
    until: 'until {{day}}',
    estimated: 'Of what is used, {{amount}} is an estimate: nobody heard what those calls cost, so the most they may have cost is counted.',
    reached: 'Runs that do not fit any more are skipped until then.',
  },
  leftOut: 'skipped',
}
