const FIELDS: Partial<Record<string, string>> = {
  template_id: 'template_version_id',
  image_template_id: 'image_template_version_id',
  schedule: 'schedule.time_slots',
  'budget.amount': 'budget_amount',
}

/** The field of the form that shows an error of the server: a list has one field for all its entries. */
export function toFormField(path: string): string {
  if (path.startsWith('variables.')) return path
  const known = FIELDS[path]
  if (known) return known
  return path
    .split('.')
    .filter((part) => !/^\d+$/.test(part))
    .join('.')
}
