const FIELDS: Partial<Record<string, string>> = {
  template_id: 'template_version_id',
  image_template_id: 'image_template_version_id',
  schedule: 'schedule.time_slots',
  'budget.amount': 'budget_amount',
}

/** Return the form's field for a server's error; a list has one field for all its entries. */
export function toFormField(path: string): string {
  if (path.startsWith('variables.')) return path
  const field = FIELDS[path]
  if (field) return field
  return path
    .split('.')
    .filter((part) => !/^\d+$/.test(part))
    .join('.')
}
