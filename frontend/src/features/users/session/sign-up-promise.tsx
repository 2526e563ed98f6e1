import { useTranslation } from 'react-i18next'

const WARP = Array.from({ length: 11 }, (_, index) => 40 + index * 52)
const WEFT = Array.from({ length: 7 }, (_, row) => 70 + row * 42)

const weftColour = (row: number) => {
  if (row === 3) return 'var(--mantine-color-saffron-4)'
  return row % 3 === 0 ? 'var(--mantine-color-petrol-3)' : 'var(--mantine-color-petrol-5)'
}

/** The brand half beside the sign-up form: a weave, and what Postloom promises. */
export function SignUpPromise() {
  const { t } = useTranslation(['common', 'session'])
  return (
    <aside className="auth-side">
      <svg viewBox="0 0 600 560" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        {WARP.map((x) => (
          <path key={x} d={`M${x} -10V570`} stroke="var(--mantine-color-petrol-6)" strokeWidth="3" opacity=".55" />
        ))}
        {WEFT.map((y, row) => (
          <g key={y} stroke={weftColour(row)} strokeWidth="15" strokeLinecap="round">
            {WARP.map((x, index) => ((index + row) % 2 === 0 ? <path key={x} d={`M${x - 20} ${y}H${x + 20}`} /> : null))}
          </g>
        ))}
        <path
          d="M600 364H300c-70 0-70 46-130 46S96 374 40 378"
          fill="none"
          stroke="var(--mantine-color-saffron-4)"
          strokeWidth="9"
          strokeLinecap="round"
        />
      </svg>
      <p className="auth-claim">{t('session:claim')}</p>
    </aside>
  )
}
