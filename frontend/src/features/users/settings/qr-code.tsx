import { useMemo } from 'react'

/**
 * The server's drawing, redrawn from its paths alone: nothing else of the document gets into the page. Dark on light in
 * both themes, since many cameras read no other.
 */
export function QrCode({ svg, label }: { svg: string; label: string }) {
  const drawing = useMemo(() => read(svg), [svg])
  return (
    <svg className="qr" role="img" aria-label={label} viewBox={drawing.viewBox} shapeRendering="crispEdges">
      {drawing.paths.map(({ d, stroke, fill, transform }) => (
        <path key={d} d={d} stroke={stroke} fill={fill} transform={transform} />
      ))}
    </svg>
  )
}

function read(text: string) {
  // as HTML, which takes a whole document and a bare element alike
  const svg = new DOMParser().parseFromString(text, 'text/html').querySelector('svg')
  const [width, height] = [svg?.getAttribute('width') ?? '0', svg?.getAttribute('height') ?? '0']
  return {
    viewBox: svg?.getAttribute('viewBox') ?? `0 0 ${parseFloat(width)} ${parseFloat(height)}`,
    paths: [...(svg?.querySelectorAll('path') ?? [])].map((path) => ({
      d: path.getAttribute('d') ?? '',
      stroke: path.getAttribute('stroke') ?? undefined,
      fill: path.getAttribute('fill') ?? undefined,
      transform: path.getAttribute('transform') ?? undefined,
    })),
  }
}
