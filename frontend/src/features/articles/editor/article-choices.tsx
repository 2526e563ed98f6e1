import { Menu } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { MenuProps } from '@/components/lazy-menu'
import { useOpeningMenu } from '@/components/use-opening-menu'

interface ArticleChoicesProps extends MenuProps {
  /** Absent while the article has no page to go back to. */
  onShow: (() => void) | undefined
  onDelete: () => void
}

/** The menu of what can be done with an article besides editing it. */
export function ArticleChoices({ onShow, onDelete, button }: ArticleChoicesProps) {
  const { t } = useTranslation(['common', 'articles'])
  const { target, opened, setOpened } = useOpeningMenu()
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end">
      <Menu.Target>{button({ ref: target })}</Menu.Target>
      <Menu.Dropdown>
        {onShow && <Menu.Item onClick={onShow}>{t('articles:editor.toArticle')}</Menu.Item>}
        <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
          {t('articles:editor.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
