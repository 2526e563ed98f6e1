import { useParams } from 'react-router'
import { usePageTitle } from '@/components/page'
import { ApprovalLink } from '@/features/posts/approval-link'
import { useTranslation } from '@/i18n/translation'
import { useLinkParams } from '@/lib/link-params'

/** A post as the link of a mail shows it, with or without a login. */
export function ApprovalLinkRoute() {
  const { t } = useTranslation()
  const { socialMediaPostId = '' } = useParams()
  const brought = useLinkParams()
  usePageTitle(t('approvalLink.tab'))
  return (
    <div className="approval-link">
      <ApprovalLink postId={socialMediaPostId} token={brought.get('token') ?? ''} />
    </div>
  )
}
