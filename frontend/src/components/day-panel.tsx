import type { ChartSeries } from '@mantine/charts'
import { Skeleton } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { lazy, Suspense, useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from './panel'
import { useFormatIn } from '@/i18n/use-format'
import { heightOf, highestOf, isEmpty, sumOf, type Bar } from './bars'

const DayBars = lazy(() => import('./day-bars'))
const HEIGHT = 160 // px

export interface Chart {
  /** Shown above the chart if there are two, and in its summary. */
  name: string
  bars: readonly Bar[]
  series: (ChartSeries & { label: string; color: string })[]
  /** Return a value's text, also of an unknown value (null). */
  text: (value: number | null) => string
  decimals?: boolean
}

interface DayPanelProps {
  /** What the charts show. */
  title: string
  charts: readonly Chart[]
  /** Shown instead of charts without any bar. */
  empty?: string
  note?: ReactNode
}

/** Charts over the same days, with a button that shows them as a table. */
export function DayPanel({ title, charts, empty, note }: DayPanelProps) {
  const { t } = useTranslation()
  const [asTable, setAsTable] = useState(false)
  const id = useId()
  if (empty && charts.every(({ bars }) => bars.every(isEmpty))) {
    return (
      <Panel title={title}>
        <p className="chart-empty">{empty}</p>
      </Panel>
    )
  }
  return (
    <Panel
      title={title}
      aside={
        <button type="button" className="textbtn" aria-expanded={asTable} aria-controls={id} onClick={() => setAsTable(!asTable)}>
          {t(asTable ? 'charts.asChart' : 'charts.asTable')}
        </button>
      }
    >
      <div id={id}>
        {asTable ? (
          <DayTable title={title} charts={charts} />
        ) : (
          <div className="charts" data-count={charts.length}>
            {charts.map((chart) => (
              <DayChart key={chart.name} chart={chart} isOnly={charts.length === 1} />
            ))}
          </div>
        )}
      </div>
      {note && <p className="chart-note">{note}</p>}
    </Panel>
  )
}

function DayChart({ chart, isOnly }: { chart: Chart; isOnly: boolean }) {
  const { name, series } = chart
  return (
    <figure className="chart">
      {(!isOnly || series.length > 1) && (
        <figcaption className="chart-head">
          {!isOnly && <b>{name}</b>}
          {series.length > 1 && (
            <ul className="legend plain-list">
              {series.map(({ name, label, color }) => (
                <li key={name}>
                  <i style={{ background: color }} aria-hidden />
                  {label}
                </li>
              ))}
            </ul>
          )}
        </figcaption>
      )}
      <div role="img" aria-label={useSummary(chart)}>
        <WhenVisible instead={<Skeleton height={HEIGHT} />}>
          <DayBars bars={chart.bars} series={series} text={chart.text} decimals={chart.decimals} height={HEIGHT} />
        </WhenVisible>
      </div>
    </figure>
  )
}

/** Render `children` once in the viewport: the chart library is larger than the rest of the page. */
function WhenVisible({ children, instead }: { children: ReactNode; instead: ReactNode }) {
  const { ref, entry } = useIntersection()
  const [wasVisible, setWasVisible] = useState(false)
  if (entry?.isIntersecting && !wasVisible) setWasVisible(true)
  return <div ref={ref}>{wasVisible ? <Suspense fallback={instead}>{children}</Suspense> : instead}</div>
}

/** Return the chart as a sentence: the sum of each part, and the highest day. */
function useSummary({ name, bars, series, text }: Chart): string {
  const { t } = useTranslation()
  const format = useFormatIn('UTC')
  const highest = highestOf(bars)
  const sums = series.map(({ name, label }) => `${label}: ${text(sumOf(bars, name))}`)
  return [
    t('charts.summary', { name, count: bars.length, sums: sums.join(', ') }),
    highest && t('charts.highest', { day: format.day(`${highest.day}T00:00Z`), value: text(heightOf(highest)) }),
  ]
    .filter(Boolean)
    .join(' ')
}

/** A table of the days with values, newest first. */
function DayTable({ title, charts }: { title: string; charts: readonly Chart[] }) {
  const { t } = useTranslation()
  const format = useFormatIn('UTC')
  const columns = charts.flatMap(({ bars, series, text }) => series.map(({ name, label }) => ({ bars, name, label, text })))
  const days = (charts[0]?.bars ?? [])
    .map(({ day }, index) => ({ day, index }))
    .filter(({ index }) => charts.some(({ bars }) => bars[index] && !isEmpty(bars[index])))
    .reverse()
  return (
    <div className="day-table" role="region" aria-label={title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('charts.day')}</th>
            {columns.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, index }) => (
            <tr key={day}>
              <th scope="row">{format.day(`${day}T00:00Z`)}</th>
              {columns.map(({ bars, name, text }) => (
                <td key={name}>{text(bars[index]?.values[name] ?? null)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
