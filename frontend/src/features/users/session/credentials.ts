/** What a right password came with, kept while the code is asked for. */
export interface Credentials {
  email: string
  password: string
}
