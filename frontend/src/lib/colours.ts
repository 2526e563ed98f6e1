/** A network that the theme does not know yet takes the neutral colour. */
export const channelColour = (channel: string) => `var(--pl-channel-${channel}, var(--pl-channel-website))`

/** Stacked bars have their own colours, since the two blues are too close when they touch. */
export const chartColour = (channel: string) => `var(--pl-chart-${channel}, ${channelColour(channel)})`
