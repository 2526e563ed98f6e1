import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'

/** External link to a page of a network. */
export function NetworkLink({ address, label, quiet = false }: { address: string; label: string; quiet?: boolean }) {
  return (
    <Button
      component="a"
      href={address}
      target="_blank"
      rel="noreferrer"
      size="xs"
      variant={quiet ? 'subtle' : 'default'}
      rightSection={<IconExternalLink size={14} aria-hidden />}
    >
      {label}
    </Button>
  )
}
