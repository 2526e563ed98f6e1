/** The logo's mark: a weft thread around a warp thread, over it at the top and under it at the bottom, forms a P. */
export function Mark({ size = 24, boxed = false }: { size?: number; boxed?: boolean }) {
  const warp = boxed ? '#ffffff' : 'var(--pl-brand-ink)'
  const weft = boxed ? '#fdc146' : 'var(--pl-weft)'
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      {boxed && <rect width="32" height="32" rx="8" fill="#115d67" />}
      <g fill="none" strokeWidth="2.9" strokeLinecap="round">
        <path d="M6 11.6h15.2a4.6 4.6 0 0 1 0 9.2h-3.9M6 20.8h3.5" stroke={weft} />
        <path d="M13.4 4.6v3.1M13.4 15.5v11.9" stroke={warp} />
      </g>
    </svg>
  )
}

export function Logo({ size = 26 }: { size?: number }) {
  return (
    <span className="logo" style={{ fontSize: size * 0.72 }}>
      <Mark size={size} boxed />
      <span>Postloom</span>
    </span>
  )
}
