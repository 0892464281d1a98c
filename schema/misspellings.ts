/** What people type, and the word that they mean: for the tests of server and device. */
export const misspellings: readonly (readonly [string, string])[] = [
  ['telef', 'telephone'],
  ['telefone', 'telephone'],
  ['telphone', 'telephone'],
  ['samsoung', 'samsung'],
  ['samsnug', 'samsung'],
  ['iphonne', 'iphone'],
  ['ifone', 'iphone'],
  ['toyotta', 'toyota'],
  ['yundai', 'hyundai'],
  ['yamha', 'yamaha'],
  ['hauwei', 'huawei'],
  ['techno', 'tecno'],
  ['infnix', 'infinix'],
  ['refrigirateur', 'refrigerateur'],
  ['televizion', 'television'],
  ['corola', 'corolla'],
  ['apartement', 'appartement'],
]

export const rightSpellings: readonly string[] = misspellings.map(([, right]) => right)
