package main

import "shuffler/controller/report"

// label is a word of a screen in the operator's language. Faults, refusals, next
// actions and reports have their texts in package report; a word that is not in
// the list stays as it is.
func (c *ctl) label(word string) string {
	if c.words.Lang == report.Chinese {
		if zh, ok := chinese[word]; ok {
			return zh
		}
	}
	if en, ok := english[word]; ok {
		return en
	}
	return word
}

// english says in words what codes cannot.
var english = map[string]string{
	"begun": "begun, not ready", "unsure": "the dealer says what became of the pack", "dealt": "dealt", "preflop": "before the flop",
	"cut_card": "cut card", "in_play": "in play",
	"check_not_good": "the check was not good", "count_failed": "the count was wrong", "check_due": "a check is due", "used_for_draw": "used for a draw: a check is due",
}

// chinese has the words of DOMAIN's list and of this program's screens.
var chinese = map[string]string{
	"Table": "桌", "State": "状态", "Dealer": "荷官", "Level": "级别", "Hand": "手牌", "Stage": "阶段", "Hold": "暂停", "Break": "休息", "Fault": "故障", "Faults": "故障", "Next": "下一步",
	"Next:": "下一步：", "Done.": "已完成。", "journal": "日志", "Journal": "日志", "refused:": "拒绝：", "what to do:": "该怎么做：", "code": "代码",
	"open": "开台", "closed": "关台", "session": "场次", "hold": "暂停", "deck": "牌副", "Decks": "牌副", "Deck": "牌副", "in play": "使用中", "check": "验牌", "Check": "验牌",
	"locked": "锁定", "shuffles": "洗牌次数", "Shuffle": "洗牌", "by hand": "手洗", "by the dealer": "荷官", "ante": "前注", "cards": "张", "Machines": "设备", "shuffler": "洗牌机", "scanner": "验牌机", "panel": "面板",
	"connected": "已连接", "not connected": "未连接", "authenticated": "已认证", "not authenticated": "未认证", "Handoff": "交接",
	"waits for acceptance": "等待接受", "refused: the floor decides": "已拒绝：由店长裁定", "in the middle of a hand": "手牌进行中",
	"no hand begins before it ends": "休息结束前不开始新一手", "last hand": "最后一手",
	"the table is frozen until the floor rules":       "本桌已暂停，等待店长裁定",
	"the shuffler is out of service: shuffle by hand": "洗牌机停用：请手洗",
	"none in play, the last was":                      "无进行中的手牌，上一手是",
	"level tag":                                       "级别标记",
	"substantial action":                              "已构成实质行动",
	"button":                                          "庄位",
	"seats":                                           "座位",
	"begun":                                           "已开始，未就绪",
	"ready":                                           "就绪",
	"dealt":                                           "已发牌",
	"preflop":                                         "翻牌前",
	"flop":                                            "翻牌",
	"turn":                                            "转牌",
	"river":                                           "河牌",
	"unsure":                                          "由荷官说明牌的情况",
	"good":                                            "合格",
	"bad":                                             "不合格",
	"unread":                                          "未读出",
	"unchecked":                                       "未验",
	"check_not_good":                                  "验牌未合格",
	"count_failed":                                    "点数不符",
	"check_due":                                       "需再验牌",
	"used_for_draw":                                   "抽牌后须验牌",
	"quarantined":                                     "已封存",
	"gather":                                          "收牌",
	"wash":                                            "混洗",
	"riffle":                                          "交错洗牌",
	"strip":                                           "分叠洗牌",
	"square":                                          "齐牌",
	"cut":                                             "切牌",
	"cut_card":                                        "切牌卡",
	"waiting for the controller":                      "等待控制器",
	"NO CONTROLLER since":                             "控制器失联，自",
	"The controller is back.":                         "控制器已恢复。",
	"The controller is gone; waiting for it.": "控制器失联，等待恢复。",
	"There is no table.":                      "没有桌。",
	"No deck is registered.":                  "没有登记的牌副。",
	"No fault.":                               "没有故障。",
	"There is no machine.":                    "没有设备。",
	"No level has been announced.":            "尚未宣布级别。",
	"There is no hand.":                       "没有手牌。",
	"Back":                                    "牌背", "Quarantine": "封存", "Envelope": "封套", "SB": "小盲", "BB": "大盲", "Ante": "前注", "Announced by": "宣布人", "At": "时间",
	"Session": "场次", "Begun by": "触发", "Ended": "结束", "Button": "庄位", "Seats": "座位", "Shuffles": "洗牌", "Holds": "暂停",
	"Part": "部件", "Link": "连接", "Heard": "最近应答", "Model": "型号", "Serial": "序列号", "Firmware": "固件", "Identity": "身份", "Port": "端口", "Trouble": "问题",
	"in_play": "进行中", "ended": "已结束", "abandoned": "已放弃", "first_riffle": "首次交错洗牌", "shuffler_button": "洗牌机按钮", "dealer_push": "荷官交接",
	"Program": "程序", "Version": "版本",
}
