import { screen, within } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { aFile } from '@/test/made'
import { show } from '@/test/screen'
import { startAllTexts } from '@/test/texts'
import { feedOf } from './preview-feed'
import { PreviewFiles } from './preview-files'
import { Thumb } from './thumb'

beforeAll(startAllTexts)

const pdf = aFile({ kind: 'document', name: 'Eight_questions.pdf', url: '/eight.pdf?signature=x', alt: '', pages: 8, page_url: '/pages/{page}/', width: 612, height: 792 })
const video = aFile({ kind: 'video', name: 'clip.mp4', alt: 'Rain on a street', url: '/clip.mp4', seconds: 34, cover_url: '/cover.jpg' })

test('a document has its title and pages, which are counted', async () => {
  const { user } = show(<PreviewFiles files={[pdf]} feed={feedOf('linkedin')} />)
  expect(screen.getByText('Eight questions')).toBeVisible()
  expect(screen.getByText('8 pages')).toBeVisible()
  expect(screen.getAllByRole('img')).toHaveLength(8)
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  expect(screen.getByText('2/8')).toBeInTheDocument()
})

test('a document can be downloaded by its signed address', () => {
  show(<PreviewFiles files={[pdf]} feed={feedOf('linkedin')} />)
  const link = screen.getByRole('link', { name: 'Download PDF' })
  expect(link).toHaveAttribute('href', '/eight.pdf?signature=x')
  expect(link).toHaveAttribute('download', 'Eight questions.pdf')
})

test('a typed title comes before the name of the file', () => {
  show(<PreviewFiles files={[{ ...pdf, title: 'What people ask us' }]} feed={feedOf('linkedin')} />)
  expect(screen.getByText('What people ask us')).toBeVisible()
  expect(screen.queryByText('Eight questions')).toBeNull()
})

test('a video shows its cover until it is played', async () => {
  const { user, container } = show(<PreviewFiles files={[video]} feed={feedOf('instagram')} />)
  expect(screen.getByRole('img', { name: 'Rain on a street' })).toHaveAttribute('src', '/cover.jpg')
  expect(screen.getByText('0:34')).toBeVisible()
  expect(container.querySelector('video')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Play “clip”' }))
  expect(container.querySelector('video')).toHaveAttribute('src', '/clip.mp4')
})

test('in a list, a video has its cover and a mark', () => {
  const { container } = show(<Thumb file={video} />)
  expect(container.querySelector('.thumb-marked img')).toHaveAttribute('src', '/cover.jpg')
  expect(within(container).queryByRole('img')).toBeNull()
})
