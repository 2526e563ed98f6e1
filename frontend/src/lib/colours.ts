/** Return a network's colour; the neutral one if the theme does not know the network. */
export const channelColour = (channel: string) => `var(--pl-channel-${channel}, var(--pl-channel-website))`

/** Return a network's colour in stacked bars, where adjacent blues would be too similar. */
export const chartColour = (channel: string) => `var(--pl-chart-${channel}, ${channelColour(channel)})`
