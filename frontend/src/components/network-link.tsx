import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'

/** Leads out, to what a network shows. */
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
