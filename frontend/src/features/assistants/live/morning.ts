/** The default time at which a pause ends. */
export const MORNING = '08:00'
