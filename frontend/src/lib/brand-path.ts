import { paths } from './paths'

/** The list of brands; `&brand=` opens one. */
export const brandsPath = `${paths.templates}?tab=brands`

/** Replaces the id of a brand that does not exist yet. */
export const NEW_BRAND = 'new'

export const brandPath = (brandId: string) => `${brandsPath}&brand=${encodeURIComponent(brandId)}`

export const newBrandPath = brandPath(NEW_BRAND)

/** Return the name of the draft in which unsaved values of a brand are kept. */
export const brandDraftName = (brandId: string = NEW_BRAND) => `brand:${brandId}`
