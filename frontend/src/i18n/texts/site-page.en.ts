/** Of websites, what is said on the way to a page of theirs that lets us in, and back. */
export const sitePage = {
  notConnected: 'The website is not connected',
  connecting: 'Connecting {{site}} …',
  connectingText: 'The site is asked whether the new password works.',
  connectedText: 'Articles can go there now.',
  nothingHere: 'This page only answers when a website sends you here. Start connecting under Websites.',
  toWebsites: 'All websites',
  toWebsite: 'To the website',
  startAgain: 'Start again',
  pageText: '{{kind}} asks you on a page of its own, and hands over a password that is for nothing else.',
  pageAction: 'Allow it on the website',
  pageNeedsTls: '{{kind}} hands over a password by itself only where this address begins with https. So enter one here.',
  byHand: 'or enter it by hand',
}
