import { SegmentedControl } from '@mantine/core'
import { useId } from 'react'
import { ImageRatio } from '@/api/types.gen'
import { useFormat } from '@/i18n/use-format'
import { ratioText } from '@/lib/image-ratio'

interface ImageRatioFieldProps {
  label: string
  value: ImageRatio
  fullWidth?: boolean
  onChange: (size: ImageRatio) => void
}

/** The choice of an image's size, shown as its ratio. */
export function ImageRatioField({ label, value, fullWidth, onChange }: ImageRatioFieldProps) {
  const format = useFormat()
  const labelId = useId()
  return (
    <div>
      <div className="field-label" id={labelId}>
        {label}
      </div>
      <SegmentedControl
        fullWidth={fullWidth}
        aria-labelledby={labelId}
        data={Object.values(ImageRatio).map((size) => ({ value: size, label: ratioText(format, size) }))}
        value={value}
        onChange={onChange}
      />
    </div>
  )
}
