import type { en } from './en'
import type { Shape } from './shape'
import { common } from './texts/common.de'
import { errors, remedies } from './texts/failure.de'
import { navigation } from './texts/navigation.de'
import { status } from './texts/status.de'

export const de = { common, errors, navigation, remedies, status } satisfies Shape<typeof en>
