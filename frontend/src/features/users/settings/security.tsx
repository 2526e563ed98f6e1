import { ActivitySection } from './activity-section'
import { DevicesSection } from './devices-section'
import { PasswordSection } from './password-section'
import { SecondFactorSection } from './second-factor-section'

export function Security() {
  return (
    <div>
      <PasswordSection />
      <SecondFactorSection />
      <DevicesSection />
      <ActivitySection />
    </div>
  )
}
