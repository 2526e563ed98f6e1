import { SignUpInSchema } from '@/api/schemas.gen'

/** The server's rules for passwords that can be checked while typing; it also refuses common ones. */
const { minLength: SHORTEST, maxLength: LONGEST } = SignUpInSchema.properties.password
const FEWEST_DIFFERENT = 4
const SHORTEST_NAME = 4 // shorter names of addresses stand in ordinary words

export interface PasswordRule {
  name: 'length' | 'email' | 'varied'
  isMet: boolean
}

/** Return the rules, and whether the password meets each. Without an address its rule is omitted. */
export function passwordRules(password: string, email?: string): PasswordRule[] {
  const characters = [...password]
  const lowered = password.toLocaleLowerCase()
  const rules: PasswordRule[] = [
    { name: 'length', isMet: characters.length >= SHORTEST && characters.length <= LONGEST },
    { name: 'varied', isMet: new Set(lowered).size >= FEWEST_DIFFERENT },
  ]
  if (email !== undefined) {
    const address = email.trim().toLocaleLowerCase()
    const [name = ''] = address.split('@')
    const contained = lowered === address || (name.length >= SHORTEST_NAME && lowered.includes(name))
    rules.push({ name: 'email', isMet: password !== '' && !contained })
  }
  return rules
}
