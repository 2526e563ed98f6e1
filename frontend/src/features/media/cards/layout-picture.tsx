interface LayoutPictureProps {
  /** An unknown layout is drawn as lines of text; null is the automatic choice. */
  layout: string | null
  ground: string
  ink: string
  accent: string
}

/** A small drawing of a layout. */
export function LayoutPicture({ layout, ground, ink, accent }: LayoutPictureProps) {
  return (
    <svg viewBox="0 0 80 80" aria-hidden="true" className="layout-picture">
      <rect width="80" height="80" fill={ground} />
      <Strokes layout={layout} ink={ink} accent={accent} />
    </svg>
  )
}

function Strokes({ layout, ink, accent }: Omit<LayoutPictureProps, 'ground'>) {
  switch (layout) {
    case 'number':
      return (
        <>
          <rect x="9" y="11" width="26" height="3.5" rx="1.75" fill={ink} opacity=".7" />
          <text x="7" y="47" fill={ink} fontSize="36" fontWeight="750" letterSpacing="-2" className="layout-number">
            104
          </text>
          <rect x="9" y="53" width="40" height="4" rx="2" fill={accent} />
          {[0, 1, 2, 3, 4, 5, 6, 7, 8].map((tally) => (
            <rect
              key={tally}
              x={9 + tally * 5}
              y="62"
              width="2.6"
              height="9"
              rx="1.3"
              fill={tally > 6 ? accent : ink}
              opacity={tally > 6 ? 1 : 0.5}
            />
          ))}
        </>
      )
    case 'quote':
      return (
        <>
          <path d="M9 10h10v10c0 5-3 8-10 9v-4c4 0 5-2 5-5H9Zm14 0h10v10c0 5-3 8-10 9v-4c4 0 5-2 5-5h-5Z" fill={accent} />
          {[52, 58, 36].map((width, line) => (
            <rect key={width} x="9" y={37 + line * 9.5} width={width} height="5.5" rx="2.75" fill={ink} />
          ))}
          <rect x="9" y="68" width="22" height="3" rx="1.5" fill={ink} opacity=".6" />
        </>
      )
    case 'steps':
      return (
        <>
          <rect x="9" y="11" width="44" height="6.5" rx="3.25" fill={ink} />
          <path d="M13.5 32V62" stroke={accent} strokeWidth="1.6" />
          {[32, 47, 62].map((y, step) => (
            <g key={y}>
              <circle cx="13.5" cy={y} r="4.6" fill={step === 1 ? accent : ink} />
              <rect x="24" y={y - 2} width={[42, 34, 38][step]} height="4" rx="2" fill={ink} opacity=".75" />
            </g>
          ))}
        </>
      )
    case 'event':
      return (
        <>
          {[0, 1, 2].map((row) =>
            [0, 1, 2, 3].map((piece) => (
              <rect
                key={`${row}-${piece}`}
                x={piece * 23 - (row % 2 ? 12 : 2)}
                y={7 + row * 9}
                width="17"
                height="4.5"
                rx="2.25"
                fill={row === 1 ? accent : ink}
                opacity={row === 1 ? 1 : 0.6}
              />
            )),
          )}
          <rect x="9" y="41" width="50" height="7" rx="3.5" fill={ink} />
          <rect x="9" y="53" width="36" height="4" rx="2" fill={ink} opacity=".7" />
          <rect x="9" y="63" width="26" height="9" rx="4.5" fill={accent} />
        </>
      )
    case null:
      return (
        <g fill="none" stroke={accent} strokeWidth="3.4" strokeLinecap="round" strokeLinejoin="round">
          <path d="M20 60 46 34" />
          <path d="m46 14 3.2 7.8L57 25l-7.8 3.2L46 36l-3.2-7.8L35 25l7.8-3.2Z" fill={accent} strokeWidth="1.6" />
          <path d="m64 42 1.7 4.3 4.3 1.7-4.3 1.7L64 54l-1.7-4.3L58 48l4.3-1.7Z" fill={ink} stroke={ink} strokeWidth="1" />
        </g>
      )
    default:
      return (
        <>
          {[54, 60, 46, 30].map((width, line) => (
            <rect key={width} x="9" y={15 + line * 11.5} width={width} height="7" rx="3.5" fill={ink} />
          ))}
          <rect x="9" y="66" width="22" height="4" rx="2" fill={accent} />
        </>
      )
  }
}
