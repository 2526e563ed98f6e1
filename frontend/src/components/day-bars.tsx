import { BarChart, ChartTooltip, type ChartSeries } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { useFormatIn } from '@/i18n/use-format'
import { labelledDays, type Bar } from './bars'

interface DayBarsProps {
  bars: readonly Bar[]
  series: ChartSeries[]
  text: (value: number | null) => string
  /** Whether the axis may have fractions. */
  decimals?: boolean
  /** px */
  height: number
}

/** A bar per day, today on the right. Loaded lazily, because the chart library is large. */
export default function DayBars({ bars, series, text, decimals = false, height }: DayBarsProps) {
  const format = useFormatIn('UTC') // the days come without a time zone
  const today = bars.at(-1)?.day
  return (
    <BarChart
      h={height}
      data={bars.map(({ day, values }) => ({ day, ...values }))}
      dataKey="day"
      type="stacked"
      series={series}
      gridAxis="x"
      tickLine="none"
      strokeDasharray="0"
      textColor="var(--pl-text-3)"
      gridColor="var(--pl-line)"
      maxBarWidth={22}
      barChartProps={{ barCategoryGap: '30%', accessibilityLayer: false }}
      barProps={{ isAnimationActive: false, radius: 3 }}
      xAxisProps={{
        ticks: labelledDays(bars),
        interval: 0,
        height: 22,
        tick: ({ x, y, payload }) => {
          const day = String(payload.value)
          return (
            <g>
              <text x={x} y={y} dy={10} textAnchor="middle" className="bar-day" data-today={day === today || undefined}>
                {Number(day.slice(-2))}
              </text>
              {day === today && <rect x={Number(x) - 9} y={Number(y) + 15} width={18} height={2.5} rx={1.25} className="bar-today" />}
            </g>
          )
        },
      }}
      yAxisProps={{ allowDecimals: decimals, tickCount: 4, width: 'auto', tick: { fontSize: 12, fill: 'currentColor' }, tickFormatter: text }}
      tooltipProps={{
        // also called while nothing is hovered
        content: ({ active, label, payload }) =>
          active && (
            <ChartTooltip label={format.day(`${label}T00:00Z`)} payload={payload} series={series} valueFormatter={text} />
          ),
      }}
    />
  )
}
