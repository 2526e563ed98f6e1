import { describe, expect, test } from 'vitest'
import type { FieldProblem, PinnedTemplateOut } from '@/api/types.gen'
import { anAssistant } from '@/test/made'
import { runPath } from '@/lib/run-path'
import { assistantPath, fixPath, madePath, postPath } from './links'

const ID = '0190a000-0000-7000-8000-000000000001'

test('each tab has its address, the first one the shortest', () => {
  expect(assistantPath(ID)).toBe(`/assistants/${ID}`)
  expect(assistantPath(ID, 'overview')).toBe(`/assistants/${ID}`)
  expect(assistantPath(ID, 'runs')).toBe(`/assistants/${ID}?tab=runs`)
  expect(assistantPath(ID, 'configuration')).toBe(`/assistants/${ID}?tab=configuration`)
})

test('a run opens over the list of runs', () => {
  expect(runPath(ID, 'r1')).toBe(`/assistants/${ID}?tab=runs&run=r1`)
})

test('what was made has its page', () => {
  expect(postPath('p1')).toBe('/social-media-posts/p1')
  expect(madePath({ is_article: false, post_id: 'p1' })).toBe('/social-media-posts/p1')
  expect(madePath({ is_article: true, post_id: 'p1' })).toBe('/posts/p1')
})

describe('what is missing leads to where it is made up for', () => {
  const pinned = (template_id: string): PinnedTemplateOut => ({
    template_id,
    version_id: `${template_id}-3`,
    name: 'Tip',
    number: 3,
    latest_version_id: `${template_id}-3`,
    latest_number: 3,
  })
  const assistant = anAssistant({ id: ID, template: pinned('texts'), image_template: pinned('images') })
  const problem = (code: FieldProblem['code'], field: string): FieldProblem => ({ code, field, params: {} })

  test.each([
    ['an empty tree', problem('topic_tree_empty', 'topic_tree_id'), '/topics'],
    ['a text template without a topic', problem('template_needs_topic', 'template_id'), '/templates/texts'],
    ['an image template without content', problem('image_template_needs_content', 'image_template_id'), '/templates/images'],
    ['a field', problem('invalid_input', 'topic_tree_id'), `/assistants/${ID}?tab=configuration&field=topic_tree_id`],
    ['a field of another name here', problem('invalid_input', 'template_id'), `/assistants/${ID}?tab=configuration&field=template_version_id`],
    ['the schedule', problem('invalid_input', 'schedule'), `/assistants/${ID}?tab=configuration&field=schedule.time_slots`],
    ['a variable', problem('invalid_input', 'variables.Brand & tone'), `/assistants/${ID}?tab=configuration&field=variables.Brand%20%26%20tone`],
  ])('%s', (_, missing, path) => {
    expect(fixPath(assistant, missing)).toBe(path)
  })

  test('where it goes is its website, if it has one', () => {
    const lost = problem('channel_not_selected', 'account_ids')
    expect(fixPath(assistant, lost)).toBe(`/assistants/${ID}?tab=configuration&field=account_ids`)
    const writer = anAssistant({ id: ID, website: { id: 'website', name: 'Lindhof Journal' } })
    expect(fixPath(writer, lost)).toBe(`/assistants/${ID}?tab=configuration&field=website_id`)
  })

  test('a template that is gone leads to all of them', () => {
    expect(fixPath(anAssistant(), problem('template_needs_topic', 'template_id'))).toBe('/templates')
    expect(fixPath(anAssistant(), problem('image_template_needs_content', 'image_template_id'))).toBe('/templates')
  })
})
