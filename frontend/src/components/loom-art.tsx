const WARP = Array.from({ length: 13 }, (_, index) => 20 + index * 15)

const ROWS = { empty: [92, 104, 116], lost: [104, 116], cut: [68, 80, 92, 104, 116] }

const LOOSE = {
  empty: 'M205 80C170 80 168 50 134 52S112 84 84 72 60 34 34 42',
  lost: 'M205 92C180 92 180 60 150 62c-26 2-22 34-2 30 22-5 6-52-28-44S96 78 70 66',
}

/** Drawing of an empty loom with a loose thread: only for empty, not-found and failed states. */
export function LoomArt({ kind = 'empty', width = 200 }: { kind?: 'empty' | 'lost' | 'cut'; width?: number }) {
  return (
    <svg width={width} height={width * 0.62} viewBox="0 0 220 136" aria-hidden="true" className="loomart">
      <rect x="8" y="10" width="204" height="7" rx="3.5" fill="var(--pl-line-strong)" opacity=".55" />
      <rect x="8" y="122" width="204" height="7" rx="3.5" fill="var(--pl-line-strong)" opacity=".55" />
      {WARP.map((x) => (
        <path key={x} d={`M${x} 17V122`} stroke="var(--pl-line-strong)" strokeWidth="1.5" />
      ))}
      {ROWS[kind].map((y, row) => (
        <g key={y} stroke={row % 3 === 1 ? 'var(--pl-weft)' : 'var(--pl-thread)'} strokeWidth="5" strokeLinecap="round">
          {WARP.map((x, index) =>
            (index + row) % 2 === 0 ? (
              <path key={x} d={`M${x - 5} ${y}H${x + (index === WARP.length - 1 ? 5 : 10)}`} />
            ) : null,
          )}
        </g>
      ))}
      {kind === 'cut' ? (
        <g fill="none" stroke="var(--mantine-color-red-5)" strokeWidth="4" strokeLinecap="round">
          <path d="M16 56C50 56 62 46 92 50" />
          <path d="M204 56C176 56 160 40 124 46" strokeDasharray="1 8" />
        </g>
      ) : (
        <path d={LOOSE[kind]} fill="none" stroke="var(--pl-weft)" strokeWidth="4" strokeLinecap="round" />
      )}
    </svg>
  )
}
