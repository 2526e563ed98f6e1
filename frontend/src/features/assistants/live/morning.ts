/** When a pause ends on a day that is chosen, unless another time is. */
export const MORNING = '08:00'
