/** The rules of the specification, one sentence each. */
export const validation = {
  name: 'Name is required',
  timeZone: 'Timezone is required (IANA format)',
  day: 'At least one day must be selected',
  timeSlot: 'At least one time slot must be added',
  budget: 'The limit must be above 0',
  channel: 'At least one channel must be selected',
  topicTree: 'A topic tree must be selected',
  contentTemplate: 'A content template must be set',
  distributionChannel: 'At least one distribution channel must be selected',
}
