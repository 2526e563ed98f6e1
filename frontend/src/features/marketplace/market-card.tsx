import { IconCheck, IconPhoto, IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import type { MarketTemplateOut } from '@/api/types.gen'
import { Tag } from '@/components/tag'
import { hasPicture, SamplePicture } from './sample-picture'

interface MarketCardProps {
  template: MarketTemplateOut
  onTag: (tag: string) => void
}

/** One template; the whole card opens its preview. */
export function MarketCard({ template, onTag }: MarketCardProps) {
  const { t } = useTranslation(['common', 'marketplace'])
  const { search } = useLocation()
  const preview = new URLSearchParams(search)
  preview.set('template', template.id)
  const Icon = template.type === 'image' ? IconPhoto : IconPencil
  return (
    <li className="panel market-card">
      <div className="market-kind">
        <Icon size={15} aria-hidden />
        {t(`marketplace:types.${template.type}`)}
        <span className="dim">{t(`languages.${template.language}`)}</span>
        {(template.copied || template.own) && (
          <span className="market-mark">
            <IconCheck size={13} aria-hidden />
            {t(template.own ? 'marketplace:own' : 'marketplace:copied')}
          </span>
        )}
      </div>
      <Link className="market-name" to={{ search: preview.toString() }} replace>
        {template.name}
      </Link>
      <p className="market-text">{template.description}</p>
      <Sample template={template} />
      <div className="market-foot">
        <span className="tags">
          {template.tags.map((tag) => (
            <button
              key={tag}
              type="button"
              className="tag tag-button"
              aria-label={t('marketplace:filterByTag', { tag })}
              onClick={() => onTag(tag)}
            >
              <span className="clip">{tag}</span>
            </button>
          ))}
        </span>
        <span className="dim num">
          {t('marketplace:by', { author: template.author || t('marketplace:unnamed') })}
          {' · '}
          {t('marketplace:uses', { count: template.usage_count })}
          {template.sample_is_demo && ` · ${t('marketplace:demoSample')}`}
        </span>
      </div>
      {template.variables.length > 0 && (
        <span className="vh">{t('marketplace:variables', { names: template.variables.join(', ') })}</span>
      )}
    </li>
  )
}

/** The template's sample; the preview shows it in full. */
function Sample({ template }: { template: MarketTemplateOut }) {
  if (hasPicture(template))
    return (
      <div className="market-sample-picture">
        <SamplePicture template={template} className="market-shot" alt="" />
      </div>
    )
  if (!template.sample_text) return <div className="market-sample-picture" />
  return (
    <p className="market-sample" aria-hidden="true">
      {template.sample_text}
    </p>
  )
}

export function KindTags({ template }: { template: MarketTemplateOut }) {
  const { t } = useTranslation(['common', 'marketplace'])
  return (
    <span className="tags">
      <Tag>{t(`marketplace:types.${template.type}`)}</Tag>
      <Tag>{t(`languages.${template.language}`)}</Tag>
      {template.tags.map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
    </span>
  )
}
