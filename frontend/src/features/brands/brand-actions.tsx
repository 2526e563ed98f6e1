import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { newBrandPath } from '@/lib/brand-path'

export function NewBrandButton() {
  const { t } = useTranslation(['common', 'brands'])
  return (
    <Button component={Link} to={newBrandPath} leftSection={<IconPlus size={15} aria-hidden />}>
      {t('brands:create')}
    </Button>
  )
}
