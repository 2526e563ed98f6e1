import { BrandExampleInSchema, BrandInSchema } from '@/api/schemas.gen'

// limits of the server, by its schema
const { name, about, dos, examples } = BrandInSchema.properties

export const LONGEST_NAME = name.maxLength
/** Of each description. */
export const LONGEST_TEXT = about.maxLength
/** The limits of each list of rules, words or facts. */
export const MOST_ENTRIES = dos.maxItems
export const LONGEST_ENTRY = dos.items.maxLength
export const MOST_EXAMPLES = examples.maxItems
export const LONGEST_EXAMPLE = BrandExampleInSchema.properties.text.maxLength
export const LONGEST_UTM = BrandInSchema.properties.utm.additionalProperties.maxLength
