import { SegmentedControl } from '@mantine/core'
import { useId } from 'react'
import { ImageRatio } from '@/api/types.gen'
import { useFormat } from '@/i18n/use-format'
import { ratioText } from '@/lib/card-words'

interface ImageSizeFieldProps {
  label: string
  value: ImageRatio
  fullWidth?: boolean
  onChange: (size: ImageRatio) => void
}

/** The choice of an image's size, shown as its ratio. */
export function ImageSizeField({ label, value, fullWidth, onChange }: ImageSizeFieldProps) {
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
