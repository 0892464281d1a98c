import { expect, test } from 'vitest'
import { stillWrong } from './formErrors.ts'

type Field = 'name' | 'password' | 'confirm'
const say = (message: string) => ({ id: message, message })
const check = ({ password, confirm }: Readonly<Record<Field, string>>) => ({
  ...(password.length < 3 && { password: say('short') }),
  ...(password.length >= 3 && password !== confirm && { confirm: say('differs') }),
})

test('[S13.11] an error stays while nothing changes, and leaves as its field is corrected', () => {
  const values = { name: 'awa', password: 'ab', confirm: '' }
  const sent = { values, wrong: check(values) }
  expect(stillWrong(sent, values, check)).toBe(sent.wrong)
  expect(stillWrong(sent, { ...values, password: 'a' }, check)).toEqual({ password: say('short') })
  // What was no error at the submit does not become one while typing.
  expect(stillWrong(sent, { ...values, password: 'abc' }, check)).toEqual({})
})

test('[S13.11] an error of two fields leaves when either is corrected', () => {
  const values = { name: 'awa', password: 'abcd', confirm: 'abc' }
  const sent = { values, wrong: check(values) }
  expect(sent.wrong).toEqual({ confirm: say('differs') })
  expect(stillWrong(sent, { ...values, password: 'abc' }, check)).toEqual({})
  expect(stillWrong(sent, { ...values, confirm: 'abcd' }, check)).toEqual({})
  expect(stillWrong(sent, { ...values, name: 'a' }, check)).toEqual(sent.wrong)
})

test('[S13.11] an error of the server leaves when its field changes, one of the form with any', () => {
  const values = { name: 'awa', password: 'abc', confirm: 'abc' }
  const sent = { values, wrong: { name: say('taken'), all: say('failed') } }
  expect(stillWrong(sent, { ...values, password: 'abcd', confirm: 'abcd' }, check)).toEqual({
    name: say('taken'),
  })
  expect(stillWrong(sent, { ...values, name: 'awa2' }, check)).toEqual({})
})
