import { common } from './texts/common.en'
import { errors, errorVariants, retries } from './texts/errors.en'
import { home } from './texts/home.en'
import { navigation } from './texts/navigation.en'
import { session } from './texts/session.en'
import { status } from './texts/status.en'

/**
 * What everybody may get to read, a visitor too. The English texts decide which keys exist: a German one that is missing
 * does not compile.
 */
export const en = {
  common,
  errors,
  errorVariants,
  retries,
  home,
  navigation,
  session,
  status,
}
