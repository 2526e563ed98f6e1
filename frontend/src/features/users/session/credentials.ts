/** The accepted credentials, kept until the code is entered. */
export interface Credentials {
  email: string
  password: string
}
