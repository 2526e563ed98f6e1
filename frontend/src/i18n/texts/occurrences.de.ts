/** What a schedule and a budget come to, wherever that is told. */
export const liveRun = {
  clockChange: 'Davor wird die Uhr umgestellt: Aus UTC{{before}} wird UTC{{after}}. {{time}} bleibt {{time}}.',
  leftOutDays: {
    date: 'Ausgelassen',
    holiday: '{{name}}',
    dayFull: 'An Tagen mit mehr Uhrzeiten werden die späteren ausgelassen.',
  },
  budget: {
    left: 'Übriges Budget',
    leftOf: '{{left}} von {{amount}}',
    leftTokens: '{{left}} von {{amount}} Token',
    until: 'bis {{day}}',
    estimated: 'Davon verbraucht sind {{amount}} geschätzt: Was diese Aufrufe kosteten, hat niemand gehört, also zählt das Höchste, was sie gekostet haben können.',
    reached: 'Läufe, die nicht mehr hineinpassen, werden bis dahin ausgelassen.',
  },
  leftOut: 'ausgelassen',
}
