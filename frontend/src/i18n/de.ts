import type { en } from './en'
import type { Shape } from './shape'
import { common } from './texts/common.de'
import { errors, errorVariants, retries } from './texts/errors.de'
import { home } from './texts/home.de'
import { navigation } from './texts/navigation.de'
import { session } from './texts/session.de'
import { status } from './texts/status.de'

export const de = {
  common,
  errors,
  errorVariants,
  retries,
  home,
  navigation,
  session,
  status,
} satisfies Shape<typeof en>
