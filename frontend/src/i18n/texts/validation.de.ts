export const validation = {
  name: 'Der Name fehlt',
  timeZone: 'Die Zeitzone fehlt (IANA-Format)',
  day: 'Mindestens ein Tag muss gewählt sein',
  timeSlot: 'Mindestens eine Uhrzeit muss eingetragen sein',
  budget: 'Die Grenze muss über 0 liegen',
  channel: 'Mindestens ein Kanal muss gewählt sein',
  topicTree: 'Ein Themenbaum muss gewählt sein',
  contentTemplate: 'Eine Textvorlage muss gesetzt sein',
  distributionChannel: 'Mindestens ein Kanal zum Veröffentlichen muss gewählt sein',
}
