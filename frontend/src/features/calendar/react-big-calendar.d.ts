declare module 'react-big-calendar/lib/addons/dragAndDrop/EventWrapper' {
  import type { ComponentType } from 'react'
  import type { EventWrapperProps } from 'react-big-calendar'

  const EventWrapper: ComponentType<EventWrapperProps & { children?: React.ReactNode }>
  export default EventWrapper
}
